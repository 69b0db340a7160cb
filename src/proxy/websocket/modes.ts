export const WEBSOCKET_MODES = ["auto", "off"] as const;
/** `auto`: a WebSocket is forwarded where responses need no change. `off`: clients are asked to use HTTP. */
export type WebSocketMode = (typeof WEBSOCKET_MODES)[number];
