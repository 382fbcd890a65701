import assert from "node:assert/strict";
import { writeWordPdf } from "../../../src/connection/compatibility/wordPdf.ts";
import { type PdfReading, readPdfFile } from "../../../src/text/pdfFile.ts";

const whole = Buffer.from(writeWordPdf("PELICAN"), "base64");
const text = whole.toString("latin1");
const bytesOf = (content: string): Buffer => Buffer.from(content, "latin1");
const encrypted = text.replace("/Root 1 0 R", "/Root 1 0 R/Encrypt 7 0 R");
/** The form that newer writers use: the trailer is the dictionary of a stream. */
const withStream = (members: string): string => {
  const body = "%PDF-1.7\n1 0 obj\n<</Length 1>>\nstream\nx\nendstream\nendobj\n";
  const table = `9 0 obj\n<</Type/XRef/Size 10/W[1 2 1]/Root 1 0 R${members}/Length 3>>\nstream\nabc\nendstream`;
  return `${body}${table}\nendobj\nstartxref\n${body.length}\n%%EOF`;
};
/** A second part behind the first, as an editor appends it. */
const appended = `${text}7 0 obj\n(new)\nendobj\nxref\n0 0\ntrailer\n<</Size 8/Prev 398>>\nstartxref\n${text.length + 20}\n%%EOF`;

describe("readPdfFile", () => {
  const cases: readonly (readonly [PdfReading, string, string, string])[] = [
    ["pdf", "a PDF file", "plan.pdf", text],
    ["pdf", "a PDF file with another name", "plan", text],
    ["pdf", "a name in capitals, and bytes before the mark", "PLAN.PDF", `\u00ef\u00bb\u00bf\n${text}`],
    ["pdf", "a table in a stream", "plan.pdf", withStream("")],
    ["pdf", "a part that was appended", "plan.pdf", appended],
    [
      "pdf",
      "the word Encrypt in its text",
      "plan.pdf",
      text.replace("<</Type/Font", "<</Title(/Encrypt 7)/Type/Font"),
    ],
    ["encrypted", "encryption in the trailer", "plan.pdf", encrypted],
    ["encrypted", "encryption in the trailer behind other bytes", "plan.pdf", `\n\n${encrypted}`],
    ["encrypted", "encryption in the dictionary of a stream", "plan.pdf", withStream("/Encrypt<</V 5>>")],
    ["empty", "no bytes", "plan.pdf", ""],
    ["fake", "another content", "plan.pdf", "# Plan\n"],
    ["cut", "only a start", "plan.pdf", text.slice(0, 200)],
    ["cut", "no mark of the end", "plan.pdf", text.replace("%%EOF", "")],
    ["other", "a text about PDF files", "plan.md", `A PDF file starts with ${text}`],
    ["other", "no bytes and another name", "plan.md", ""],
  ];
  for (const [reading, what, name, content] of cases)
    it(`says ${reading} for ${what}`, () => assert.equal(readPdfFile(name, bytesOf(content)), reading));

  it("reads a large file in linear time", () => {
    const filler = "/Encrypt stream xref trailer 1 0 obj ".repeat(250_000);
    const large = text
      .replace("xref", `${filler}\nxref`)
      .replace("\n398\n", `\n${398 + filler.length + 1}\n`);
    assert.equal(readPdfFile("plan.pdf", bytesOf(large)), "pdf");
  });
});
