/** Turns changes of health events into messages, and delivers them. */
export * as Notification from "./Notification.js"
export * as PlainHtml from "./PlainHtml.js"
export * as Routes from "./Routes.js"
export * as RoutesError from "./RoutesError.js"
export * as Sink from "./Sink.js"
export * as Sinks from "./Sinks.js"
