/** Turns service health events into an HTML report and into text. Pure: no I/O. */
export * as Availability from "./Availability.js"
export * as EventText from "./EventText.js"
export * as HtmlReport from "./HtmlReport.js"
export * as LivePage from "./LivePage.js"
export * as Snapshot from "./Snapshot.js"
export * as Timeline from "./Timeline.js"
export * as Verdict from "./Verdict.js"
