#!/usr/bin/env node
/** Where the process begins: what is known without the rest is answered at once, and the rest is loaded for all else. */
import * as AtOnce from "./AtOnce.js"

if (!AtOnce.answer(process.argv.slice(2))) await import("./Process.js")
