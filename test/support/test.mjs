import { runEntry } from "./bootstrap.mjs";

runEntry("./test.ts");
