/** Display names of encodings, by the labels of `TextDecoder` and the IDs of VS Code. */
const names: Readonly<Record<string, string>> = {
  "utf-8": "UTF-8",
  utf8: "UTF-8",
  utf8bom: "UTF-8",
  "utf-16le": "UTF-16 LE",
  utf16le: "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  utf16be: "UTF-16 BE",
  shift_jis: "Shift JIS",
  shiftjis: "Shift JIS",
  "euc-jp": "EUC-JP",
  eucjp: "EUC-JP",
  "iso-2022-jp": "ISO-2022-JP",
  gb18030: "GB 18030",
  gbk: "GBK",
  gb2312: "GB 2312",
  big5: "Big5",
  cp950: "Big5",
  big5hkscs: "Big5-HKSCS",
  "euc-kr": "EUC-KR",
  euckr: "EUC-KR",
  "koi8-r": "KOI8-R",
  koi8r: "KOI8-R",
};

/**
 * Returns the display name of an encoding: `Shift JIS` for `shiftjis`, `Windows-1252` for `windows1252`. Returns other
 * unknown IDs unchanged.
 */
export function encodingName(id: string): string {
  return names[id] ?? id.replace(/^windows-?(\d+)$/, "Windows-$1");
}
