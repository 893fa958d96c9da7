/** Turns changes of health events into messages, and delivers them. */
export * as Notification from "./Notification.js"
export * as PlainHtml from "./PlainHtml.js"
export * as Sink from "./Sink.js"
