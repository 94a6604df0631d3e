/** Loaded before a program, by `node --import`: whatever leaves this machine throws, and the program fails in the end. */
import { Socket } from "node:net";

const HERE = new Set([undefined, "localhost", "127.0.0.1", "::1"]);
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectHere(...args) {
  // Node's own callers hand on [options, callback] as one array.
  const [target] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof target === "object" ? target.host : args[1];
  if (HERE.has(host)) return connect.apply(this, args);
  process.once("exit", () => {
    process.exitCode = 1;
  });
  throw new Error(`offline: no connection to ${host}`);
};
