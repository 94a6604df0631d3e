import { evalCommand } from "./command.js";

await evalCommand(
  process.argv.slice(2),
  { print: (text) => console.log(text), log: (text) => console.error(text) },
  process.env,
);
