import { closeSync, openSync, readSync, watch, type FSWatcher } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/** Calls back with each line appended to a file, until it is disposed. */
export class LineFollower implements Disposable {
  private readonly descriptor: number;
  private readonly watcher: FSWatcher;
  private readonly decoder = new StringDecoder("utf8");
  private readonly onLine: (line: string) => void;
  private rest = "";

  constructor(file: string, onLine: (line: string) => void) {
    this.onLine = onLine;
    this.descriptor = openSync(file, "r");
    this.watcher = watch(file, () => this.read());
  }

  [Symbol.dispose](): void {
    this.watcher.close();
    this.read();
    if (this.rest !== "") this.onLine(this.rest);
    closeSync(this.descriptor);
  }

  private read(): void {
    const buffer = Buffer.alloc(16_384);
    for (;;) {
      const length = readSync(this.descriptor, buffer);
      if (length === 0) return;
      const lines = (this.rest + this.decoder.write(buffer.subarray(0, length))).split("\n");
      this.rest = lines.pop() ?? "";
      for (const line of lines) this.onLine(line);
    }
  }
}
