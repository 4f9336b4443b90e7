// Calls a function of a module for what Python sends: { module, name, language, calls: [[argument,
// ...], ...] }.
// Numbers that JSON has not go as { number: "NaN" }, bytes as { bytes: base64 }; arrays come back as
// lists.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { speak } from "../../assets/components/shared/numbers.js";

const { module, name, language, calls } = JSON.parse(readFileSync(0, "utf-8"), (_, value) => {
  if (!value || typeof value !== "object") return value;
  if ("number" in value) return Number(value.number);
  return "bytes" in value ? Uint8Array.from(Buffer.from(value.bytes, "base64")) : value;
});
const { [name]: call } = await import(pathToFileURL(module).href);
speak(language || "en");
const answers = calls.map((one) => call(...one));
process.stdout.write(JSON.stringify(answers, (_, value) =>
  (ArrayBuffer.isView(value) ? [...value] : value)));
