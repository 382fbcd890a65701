/** Those of countries, but for `md`, `py`, `rs` and `sh`, which in a chat about code are files. */
const countries =
  "ac|ad|ae|af|ag|ai|al|am|ao|aq|ar|as|at|au|aw|ax|az|ba|bb|bd|be|bf|bg|bh|bi|bj|bm|bn|bo|br|bs|bt|bw|by|bz|ca|cc|cd|cf|cg|ch|ci|ck|cl|cm|cn|co|cr|cu|cv|cw|cx|cy|cz|de|dj|dk|dm|do|dz|ec|ee|eg|er|es|et|eu|fi|fj|fk|fm|fo|fr|ga|gd|ge|gf|gg|gh|gi|gl|gm|gn|gp|gq|gr|gs|gt|gu|gw|gy|hk|hm|hn|hr|ht|hu|id|ie|il|im|in|io|iq|ir|is|it|je|jm|jo|jp|ke|kg|kh|ki|km|kn|kp|kr|kw|ky|kz|la|lb|lc|li|lk|lr|ls|lt|lu|lv|ly|ma|mc|me|mg|mh|mk|ml|mm|mn|mo|mp|mq|mr|ms|mt|mu|mv|mw|mx|my|mz|na|nc|ne|nf|ng|ni|nl|no|np|nr|nu|nz|om|pa|pe|pf|pg|ph|pk|pl|pm|pn|pr|ps|pt|pw|qa|re|ro|ru|rw|sa|sb|sc|sd|se|sg|si|sk|sl|sm|sn|so|sr|ss|st|su|sv|sx|sy|sz|tc|td|tf|tg|th|tj|tk|tl|tm|tn|to|tr|tt|tv|tw|tz|ua|ug|uk|us|uy|uz|va|vc|ve|vg|vi|vn|vu|wf|ws|ye|yt|za|zm|zw";
/** Of the others those that many hosts have, and few members of code: with all, each `axios.post` would be one. */
const others =
  "com|net|org|edu|gov|mil|info|biz|example|onion|agency|app|art|asia|bank|blog|capital|center|cloud|club|company|dev|digital|email|exchange|expert|finance|fun|fund|global|guru|health|help|host|icu|insurance|life|live|loan|ltd|media|money|news|ninja|online|page|pro|sbs|school|security|services|shop|site|software|solutions|space|store|studio|support|systems|tax|team|tech|today|tools|top|trade|trading|travel|university|vip|website|wiki|win|work|world|xyz|xn--[a-z0-9-]+";

/** The end of a host's name, as the source of a regular expression; one in letters that are not ASCII is always one. */
export const hostEnding = String.raw`(?:${countries}|${others}|(?:md|py|rs|sh)(?=\/)|(?=\p{L}*[^\p{ASCII}])\p{L}{2,})`;
