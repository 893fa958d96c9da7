/** Turns changes of health events into messages, and delivers them. */
export * as Alertmanager from "./Alertmanager.js"
export * as Notification from "./Notification.js"
export * as PagerDuty from "./PagerDuty.js"
export * as PlainHtml from "./PlainHtml.js"
export * as Sink from "./Sink.js"
export * as Slack from "./Slack.js"
export * as Teams from "./Teams.js"
export * as Webhook from "./Webhook.js"
