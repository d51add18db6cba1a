export * from "./client.js";
export * from "./live.js";
