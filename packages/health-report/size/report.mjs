/** Renders a report. */
import * as HtmlReport from "@vigil/health-report/HtmlReport"
process.stdout.write(HtmlReport.make(JSON.parse(process.argv[2])))
