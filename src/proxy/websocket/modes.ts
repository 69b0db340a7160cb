export const WEBSOCKET_MODES = ["auto", "off"] as const;
/** `auto`: a WebSocket is forwarded where responses need no change. `off`: clients are told to use HTTP. */
export type WebSocketMode = (typeof WEBSOCKET_MODES)[number];
