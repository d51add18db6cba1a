export * from "./client.js";
export * from "./live.js";
export type * from "./api.js";
