import { runEntry } from "./bootstrap.mjs";

runEntry("./start.ts");
