import assert from "node:assert/strict";
import fc from "fast-check";
import { type Decoded, decodeBytes } from "../../../src/text/decodeBytes.ts";
import { tellFigure } from "../../support/figures.ts";
import { legacyBytes } from "../../support/legacyBytes.ts";
import { readBundle } from "../languages/languages.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const textOf = (decoded: Decoded): string | undefined => (decoded.kind === "text" ? decoded.text : undefined);

/** Undefined if the encoding lacks one of the characters. */
function bytesIfAny(encoding: string, text: string): Uint8Array | undefined {
  try {
    return legacyBytes(encoding, text);
  } catch {
    return undefined;
  }
}

/** Texts in legacy encodings, only as long as typical comments and lists. */
const samples: Readonly<Record<string, readonly string[]>> = {
  shift_jis: [
    "// 設定を読み込む\r\n",
    "ユーザー一覧",
    "エラーが発生しました。\n",
    "名前,住所\n佐藤,大阪\n",
    "ﾌｧｲﾙ名を入力",
  ],
  "euc-jp": ["# 起動時に一度だけ実行する\n", "データベースの接続に失敗", "検索結果はありません。\n"],
  gb18030: [
    "/* 保存用户设置 */\n",
    "编号,名称,价格\n1,苹果,3.5\n",
    "操作失败，请重试！",
    "订单",
    "// 测试\nvoid f();\n",
  ],
  big5: ["// 讀取設定檔\n", "登入失敗，請重新輸入密碼。", "編號,名稱\n1,蘋果\n", "請稍候"],
  "euc-kr": ["// 설정을 불러온다\n", "번호,이름,주소\n1,김철수,부산\n", "저장하지 못했습니다.", "로그인"],
  "windows-1251": ["// проверка доступа\n", "Файл повреждён", "Цена;Количество\n", "Додати користувача\n"],
  "windows-1252": [
    "Überschrift\n",
    "// vérifie l’accès\n",
    "año;mañana\n",
    "© 2021 Søren – 5 €\n",
    "coração",
    "première",
  ],
  "windows-1250": ["// uživatelské jméno\n", "Błąd połączenia\n", "Nem található a következő fájl: első\n"],
  "windows-1253": ["Το αρχείο αποθηκεύτηκε", "// δεν επιτρέπεται η πρόσβαση\n"],
  "windows-1254": ["// kullanıcı adı geçersiz\n", "Bağlantı başarısız, lütfen yeniden deneyin"],
  "windows-1256": ["// حفظ الملف\n", "اسم المستخدم"],
  "windows-874": ["บันทึกไฟล์แล้ว", "// ตรวจสอบผู้ใช้\n"],
};

/** The bytes as VS Code reads them if its setting is GBK. */
const setting = (bytes: Uint8Array) => ({
  text: new TextDecoder("gb18030").decode(bytes),
  encoding: "GBK",
  guessed: false,
});

describe("decodeBytes", () => {
  it("reads valid UTF-8 without the byte order mark", () => {
    for (const text of ["", "a\r\n", "grüße 𝒳", "日本語", "\u001b[1mbold\u001b[0m"]) {
      const expected = { kind: "text", text, encoding: "UTF-8", guessed: false, unread: 0 };
      assert.deepEqual(decodeBytes(utf8(text)), expected);
      assert.deepEqual(decodeBytes(utf8(`\ufeff${text}`)), expected);
    }
  });

  it("reads UTF-16 with a byte order mark, and guesses it without one", () => {
    for (const encoding of ["utf-16le", "utf-16be"]) {
      for (const text of [
        "a = 1\n",
        "# ヘッダー\nkey = 値\n",
        "Привет, мир\r\n",
        "name\tgröße\n",
        "x 😀\n",
      ]) {
        const bytes = legacyBytes(encoding, text);
        const mark = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
        const name = encoding === "utf-16le" ? "UTF-16 LE" : "UTF-16 BE";
        const read = { kind: "text", text, encoding: name, unread: 0 };
        assert.deepEqual(decodeBytes(joined(mark, bytes)), { ...read, guessed: false });
        assert.deepEqual(decodeBytes(bytes), { ...read, guessed: true }, text);
      }
    }
  });

  it("guesses UTF-16 even if its sample splits a surrogate pair", () => {
    for (const ahead of ["", "x"]) {
      const text = `${ahead}${"\u{1f600}".repeat(1000)}${"words 😀".repeat(2000)}`;
      assert.equal(textOf(decodeBytes(legacyBytes("utf-16le", text))), text);
    }
  });

  it("reads UTF-16 that ends within a character", () => {
    const cut = joined([0xff, 0xfe], legacyBytes("utf-16le", "two words")).subarray(0, -1);
    assert.equal(textOf(decodeBytes(cut)), "two word\ufffd");
  });

  for (const [encoding, texts] of Object.entries(samples)) {
    it(`guesses ${encoding} from typical texts`, () => {
      for (const text of texts) {
        const decoded = decodeBytes(legacyBytes(encoding, text));
        assert.equal(textOf(decoded), text, `${encoding}: ${text}`);
        assert.ok(decoded.kind === "text" && decoded.guessed && decoded.unread === 0, text);
      }
    });
  }

  it("guesses nearly all translated texts correctly and hardly any incorrectly", () => {
    const western = ["windows-1252"];
    const encodings = [
      ["ja", ["shift_jis", "euc-jp"]],
      ["ko", ["euc-kr"]],
      ["zh-cn", ["gb18030"]],
      ["de", western],
      ["es", western],
      ["fr", western],
      ["pt-br", western],
    ] as const;
    let [all, right, wrong] = [0, 0, 0];
    for (const [language, names] of encodings) {
      const texts = Object.values(readBundle(language)).filter((text) => /[\u0080-\uffff]/.test(text));
      for (const [name, text] of names.flatMap((each) => texts.map((own) => [each, own] as const))) {
        const bytes = bytesIfAny(name, text);
        if (bytes === undefined) continue;
        const read = decodeBytes(bytes);
        all += 1;
        if (textOf(read) === text) right += 1;
        else if (read.kind === "text" && read.guessed) wrong += 1;
      }
    }
    tellFigure(
      `old encodings: ${all} short texts of seven languages, ${right} read rightly, ${wrong} wrongly`,
    );
    assert.ok(all > 5000 && right >= all * 0.97 && wrong <= all * 0.003, `${right} and ${wrong} of ${all}`);
  });

  it("does not guess Windows-1252 for accented letters that are not Western European", () => {
    for (const text of ["načtení souboru", "zkuste to později"]) {
      const read = decodeBytes(legacyBytes("windows-1250", text));
      assert.ok(read.kind !== "text" || read.encoding !== "Windows-1252", text);
    }
    for (const text of ["più tardi, perché", "poème de siècle, père", "così è la vita"])
      assert.equal(textOf(decodeBytes(legacyBytes("windows-1252", text))), text);
  });

  it("finds a hint in a late line or a very long line", () => {
    const comment = legacyBytes("shift_jis", "処理を終了します");
    assert.match(
      textOf(decodeBytes(joined(utf8("x = 1;\n".repeat(9000)), comment))) ?? "",
      /処理を終了します$/,
    );
    assert.match(
      textOf(decodeBytes(joined(utf8("x = 1;".repeat(9000)), comment))) ?? "",
      /処理を終了します$/,
    );
    const long = legacyBytes("gb18030", "保存用户设置，".repeat(9000));
    assert.match(textOf(decodeBytes(long)) ?? "", /^保存用户设置，/);
  });

  it("reads UTF-8 with invalid bytes and counts them", () => {
    const texts = ["ログ: 接続しました\n".repeat(16), "naïve café, déjà vu\n", "Привет\n", "说明"];
    const broken = [[0xff], [0xe3, 0x81], [0x80], [0xc3]];
    for (const text of texts) {
      for (const bytes of broken) {
        const middle = utf8(text.slice(0, 2));
        const decoded = decodeBytes(joined(middle, bytes, utf8(`${text.slice(2)}|`)));
        assert.deepEqual(decoded, {
          kind: "text",
          text: `${text.slice(0, 2)}\ufffd${text.slice(2)}|`,
          encoding: "UTF-8",
          guessed: false,
          unread: 1,
        });
      }
    }
  });

  it("keeps its guess if one byte is invalid", () => {
    const lines = "処理を開始\n設定を保存する\n終了しました\n";
    const bytes = joined(
      legacyBytes("shift_jis", lines),
      [0xfd],
      utf8("\n"),
      legacyBytes("shift_jis", lines),
    );
    const decoded = decodeBytes(bytes);
    assert.deepEqual(decoded.kind === "text" && [decoded.encoding, decoded.unread], ["Shift JIS", 1]);
  });

  it("keeps ASCII text with a few unreadable bytes", () => {
    const decoded = decodeBytes(
      joined(utf8("plain words and ".repeat(20)), [0xff, 0xfe, 0xff], utf8(" more")),
    );
    assert.ok(decoded.kind === "text" && !decoded.guessed && decoded.unread === 3);
  });

  it("uses the encoding of VS Code's setting if it can decode the bytes", () => {
    const bytes = legacyBytes("windows-1252", "garçon");
    const reading = { text: "garзon", encoding: "Windows-1251", guessed: false };
    assert.deepEqual(decodeBytes(bytes, reading), {
      kind: "text",
      text: "garзon",
      encoding: "Windows-1251",
      guessed: false,
      unread: 0,
    });
    assert.equal(textOf(decodeBytes(bytes, { ...reading, text: "gar\ufffdon" })), "garçon");
    // VS Code's own guess is only the last resort.
    assert.equal(textOf(decodeBytes(bytes, { ...reading, guessed: true })), "garçon");
  });

  it("prefers valid UTF-8 to the setting, unless there are only two UTF-8 characters, which may be chance", () => {
    const [valid, chance] = [utf8("你好，世界"), legacyBytes("gb18030", "模式")];
    assert.equal(textOf(decodeBytes(valid, setting(valid))), "你好，世界");
    assert.equal(textOf(decodeBytes(chance, setting(chance))), "模式");
  });

  it("returns binary for binary files", () => {
    const binary = [
      [0x7f, 0x45, 0x4c, 0x46, 0, 0, 1],
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52],
      [0xff, 0xfe, 0, 1, 2, 0, 0, 0, 4, 0, 5, 0],
      [0x52, 0x49, 0x46, 0x46, 0x24, 0x08, 0, 0, 0x57, 0x41, 0x56, 0x45],
      Array.from({ length: 400 }, (_, index) => 1 + ((index * 37) % 255)),
      Array.from({ length: 800 }, (_, index) => (index % 2 === 0 ? (index * 7) % 256 : index % 3)),
    ];
    for (const bytes of binary)
      assert.equal(decodeBytes(Uint8Array.from(bytes)).kind, "binary", String(bytes));
  });

  it("returns unknown if no encoding is plausible", () => {
    assert.deepEqual(decodeBytes(Uint8Array.of(0xff, 0xff, 0xff, 0xfd)), { kind: "unknown" });
    assert.deepEqual(decodeBytes(Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)), { kind: "unknown" });
  });

  it("accepts any bytes and reads valid UTF-8 unchanged", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void decodeBytes(bytes)),
      { numRuns: 500 },
    );
    const text = fc
      .string({ unit: "grapheme" })
      .filter((each) => !each.includes("\0") && !each.includes("\u001b") && !each.startsWith("\ufeff"));
    fc.assert(fc.property(text, (each) => assert.equal(textOf(decodeBytes(utf8(each))), each)));
  });
});
