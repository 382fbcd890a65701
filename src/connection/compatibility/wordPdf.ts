import { deflateSync } from "node:zlib";

/**
 * Writes a PDF file of one page with one word, in base64. The word is compressed: a model that sees the base64 instead of
 * the page must not be able to guess it.
 *
 * @param word capital letters only
 */
export function writeWordPdf(word: string): string {
  const drawn = deflateSync(Buffer.from(`BT /F1 36 Tf 40 80 Td (${word}) Tj ET`, "latin1"));
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 320 180]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${drawn.length}/Filter/FlateDecode>>\nstream\n${drawn.toString("latin1")}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  // One character is one byte. The comment of four high bytes marks the file as binary.
  let text = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
  const entries: string[] = [];
  for (const [index, object] of objects.entries()) {
    entries.push(`${String(text.length).padStart(10, "0")} 00000 n \n`);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, "latin1").toString("base64");
}
