/** The style sheet: any width, light and dark, screen and print. */

/** Light and dark. The levels are classes. */
const colors = `
:root{color-scheme:light dark;--gutter:clamp(1rem,4vw,2.5rem);--page:light-dark(#f7f7f5,#131517);--surface:light-dark(#ffffff,#1b1e21);--ink:light-dark(#1d2024,#e8e9eb);--quiet:light-dark(#5c636c,#9fa6af);--line:light-dark(#e4e4df,#2c3035);--track:light-dark(#efefeb,#24282c);--link:light-dark(#2457a6,#8db7f5);--fine:light-dark(#3f8f6b,#4fa37d)}
.Critical{--mark:light-dark(#c5302d,#ec5a55);--on:light-dark(#9f1f1c,#ffa6a1);--wash:light-dark(#fbe8e6,#3c1c1c)}
.Error{--mark:light-dark(#dc5a1e,#ec8646);--on:light-dark(#983c0c,#ffbb8e);--wash:light-dark(#fdede2,#38241a)}
.Warning{--mark:light-dark(#c58500,#ddae3a);--on:light-dark(#755300,#f0d083);--wash:light-dark(#fbf2d8,#322a16)}
.Informational{--mark:light-dark(#6c8db7,#6288b8);--on:light-dark(#375a84,#a9c6ea);--wash:light-dark(#e9f0f8,#1d2837)}
.Other{--mark:light-dark(#868d95,#757d86);--on:light-dark(#4d545c,#c3c8ce);--wash:light-dark(#eeeff0,#282c30)}
`

const base = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;background:var(--page);color:var(--ink);font:400 1rem/1.55 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 var(--gutter);overflow-x:clip}
h1,h2,h3,h4,p,ul,ol,dl,dd{margin:0;padding:0}
h1{font-size:clamp(1.6rem,1.2rem + 1.6vw,2.2rem);line-height:1.3;font-weight:600}
h2{font-size:1.2rem;line-height:1.3;font-weight:600}
h3{font-size:.8125rem;font-weight:600;color:var(--quiet)}
h4{font-size:.8125rem;font-weight:600;color:var(--quiet);margin-top:1.25rem}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
[hidden]{display:none!important}
code{font:500 .8125rem/1.4 ui-monospace,Menlo,Consolas,monospace}
.quiet{color:var(--quiet);font-size:.875rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
section{margin-top:clamp(2.25rem,4vw,3rem)}
section>.quiet{margin-top:.4rem;max-width:44rem}
.cue{display:none}
.card{background:var(--surface);border:1px solid var(--line);border-radius:8px}
.dot{display:inline-block;flex:none;width:.6rem;height:.6rem;border-radius:50%;background:var(--mark)}
.dot.hollow{background:none;border:2px solid var(--mark)}
.pill{display:inline-block;padding:.1rem .5rem;border-radius:.75rem;background:var(--wash);color:var(--on);font-size:.75rem;font-weight:600;line-height:1.4}
`

const top = `
header{padding-top:clamp(1.5rem,4vw,2.5rem)}
header>.quiet{display:inline}
header .of{margin-top:.5rem;color:var(--quiet);overflow-wrap:anywhere}
.state{--side:1.5rem;margin-top:1.25rem;padding-bottom:1rem;overflow:clip}
p.state{padding:1rem var(--side)}
.state>*{margin-left:var(--side);margin-right:var(--side)}
.verdict{margin:0;padding:1rem var(--side);background:var(--wash);color:var(--on)}
.verdict>p:first-child{font-size:1.2rem;line-height:1.3;font-weight:600}
.verdict .quiet{display:block;font-weight:400}
.verdict .doubt{margin-top:.5rem}
.state h2{margin-top:1.25rem;font-size:1rem}
.state ul{list-style:none;margin-top:.8rem;margin-bottom:.6rem;display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.6rem .8rem;align-items:baseline}
.state li{display:contents}
.state li>:last-child{line-height:1.4}
.state .pill{justify-self:start}
.state li .quiet{display:block}
.state details{margin-top:.8rem;padding-top:.8rem;border-top:1px solid var(--line)}
.state details ul{margin-left:0;margin-right:0}
.state summary .name{font-weight:600}
.verdict .quiet,.verdict .doubt{color:var(--ink)}
.state .doubt{font-weight:600;font-size:.9375rem}
nav{position:sticky;top:0;z-index:3;display:flex;overflow-x:auto;gap:1.25rem;padding:.65rem max(var(--gutter),calc(50% - 38rem + var(--gutter)));background:var(--page);border-bottom:1px solid var(--line);font-size:.875rem;white-space:nowrap}
nav a{color:var(--quiet);text-decoration:none}
nav a:hover{color:var(--ink);text-decoration:underline}
.plain{color:inherit;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent)}
.plain:hover{text-decoration-color:currentColor}
`

const chart = `
.legend{display:flex;flex-wrap:wrap;gap:.4rem 1rem;margin-top:.8rem;font-size:.8125rem;color:var(--quiet);list-style:none}
.legend li{display:flex;align-items:center;gap:.4rem}
.swatch{width:1.1rem;height:.7rem;border-radius:2px;background:var(--mark)}
.swatch.thin{height:.2rem}
.chart{margin-top:1rem;padding:.8rem 1.25rem}
.chart .axis,.chart summary{display:grid;grid-template-columns:minmax(8rem,11rem) minmax(0,1fr) 5.5rem;column-gap:1rem;align-items:center}
.chart .axis{font-size:.75rem;color:var(--quiet);padding-bottom:.2rem}
.chart .axis svg{grid-column:2;height:18px;fill:var(--quiet)}
.chart svg{display:block;width:100%;overflow:visible}
.chart details{border-top:1px solid var(--line)}
.chart summary{padding:.6rem 0}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.chart .name{font-size:.9375rem;font-weight:500;overflow-wrap:anywhere;line-height:1.3}
:is(.chart,.group>summary,.fold>summary,.state) .name::before{content:"";display:inline-block;width:.4em;height:.4em;margin:0 .55em .15em 0;border:solid var(--quiet);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}
details[open]>summary .name::before{transform:rotate(45deg)}
.chart .sum{font-size:.8125rem;color:var(--quiet);text-align:right}
.lane{fill:var(--track)}
.bar{fill:var(--mark);stroke:var(--mark);stroke-width:1.5}
.grid{stroke:var(--line)}
.now{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:2 2}
.impacts{list-style:none;padding:.1rem 0 1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.4rem;font-size:.875rem}
.impacts li{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .6rem;align-items:baseline}
.impacts .quiet{grid-column:2;font-size:.8125rem}
`

const state = `
.scroll{position:relative;margin-top:1rem;overflow:auto;max-width:100%;background:linear-gradient(to left,var(--surface) 40%,transparent) right/3rem 100% no-repeat local,linear-gradient(to left,light-dark(#1d202426,#000b),transparent) right/1rem 100% no-repeat,var(--surface)}
.states{border-collapse:separate;border-spacing:0;width:100%;font-size:.8125rem}
.states th,.states td{padding:.6rem .4rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:middle;white-space:nowrap}
.states tbody tr:last-child>*{border-bottom:0}
.states tr>:last-child{padding-right:1.25rem}
.states thead th{color:var(--quiet);font-weight:600;vertical-align:bottom;line-height:1.3;min-width:4.5rem;white-space:normal}
.states tbody th{font-weight:500;font-size:.9375rem;white-space:normal;line-height:1.3}
.states th:first-child{position:sticky;left:0;z-index:1;background:var(--surface);padding-left:1.25rem;min-width:9rem}
.states a{text-decoration:none}
.states .notice{display:inline-flex;align-items:baseline;gap:.4rem;color:var(--quiet)}
.states a:hover{text-decoration:underline}
.states .none{color:var(--quiet);opacity:.45}
.states .quiet{font-size:.75rem}
.states .number{text-align:right}
.tall{max-height:30rem}
.tall thead th{position:sticky;top:0;background:var(--surface)}
.tall thead th:first-child{z-index:2}
.states svg{display:block;width:100%;min-width:5rem}
.states .share{fill:var(--mark,var(--fine))}
.rows table{table-layout:fixed}
.rows th:nth-child(1){width:20%}
.rows th:nth-child(2){width:14rem}
.rows th:nth-child(4){width:26%}
.rows tbody th{font-weight:600}
.cards :is(th,td){white-space:normal;vertical-align:baseline}
.cards tbody th .quiet{display:block;font-weight:400}
.cards tr:is(:target,.linked){--surface:var(--track);background:var(--track)}
.fold{margin-top:1rem}
.cards td a{text-decoration:underline}
.cards td{font-size:.875rem;line-height:1.4}
time,.unit,.cards .pill{white-space:nowrap}
.place{display:grid;grid-template-columns:11rem minmax(8rem,auto);gap:0 1rem;align-items:baseline}
`

const list = `
#search{display:grid;grid-template-columns:minmax(0,2fr) repeat(3,minmax(0,1fr));gap:.6rem 1rem;margin-top:1rem}
#search label{display:grid;gap:.2rem;font-size:.8125rem;color:var(--quiet)}
#search input,#search select{width:100%;min-width:0;height:2.4rem;font:inherit;font-size:.9375rem;color:var(--ink);background:var(--surface);border:1px solid var(--quiet);border-radius:8px;padding:0 .6rem}
#search [role=status]{grid-column:1/-1}
#search [role=status]:empty{display:none}
.group{margin-top:1.25rem}
.group>summary{display:flex;align-items:baseline;gap:.6rem;padding:.4rem 0 .6rem}
.group>summary .name{font-size:1rem;color:var(--ink)}
.events{overflow:clip}
.events>details+details{border-top:1px solid var(--line)}
.events>details{border-left:4px solid var(--mark)}
.events summary{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.2rem 1rem;padding:.8rem 1.25rem}
.events summary:hover{background:var(--track)}
.events summary::after{content:"";grid-column:2;grid-row:1;align-self:center;width:.5rem;height:.5rem;border:solid var(--quiet);border-width:0 1.5px 1.5px 0;transform:rotate(45deg)}
.events details[open]>summary::after{transform:rotate(225deg)}
.events .title{font-weight:500;overflow-wrap:anywhere;line-height:1.4}
.events .about{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.1rem 1rem;color:var(--quiet);font-size:.8125rem;overflow-wrap:anywhere}
.about>span{min-width:0}
.about .pill{margin-right:.4rem}
.body{padding:.2rem 1.25rem 1.25rem;max-width:48rem;scroll-margin-top:6rem}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,8.5rem),1fr));gap:.8rem 1.25rem;margin-top:.2rem;padding:.8rem 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.facts dt{font-size:.75rem;color:var(--quiet)}
.facts dd{font-size:.9375rem;overflow-wrap:anywhere}
.prose{margin-top:.8rem;white-space:pre-line;overflow-wrap:anywhere}
.body ul,.body ol{padding-left:1rem;margin-top:.4rem}
.body li{margin-top:.4rem;overflow-wrap:anywhere}
.updates{list-style:none;border-left:2px solid var(--line);margin-left:.2rem}
.body .updates{padding-left:1rem}
.updates li+li{margin-top:.8rem}
.updates .quiet{display:block;font-size:.8125rem}
.places{display:flex;flex-wrap:wrap;gap:.4rem 1rem;list-style:none;font-size:.875rem}
.body .places{padding:0}
.places li{display:flex;align-items:baseline;gap:.4rem;min-width:0}
footer{margin-top:3rem;padding-bottom:3rem;font-size:.8125rem;color:var(--quiet)}
`

const narrow = `
@media (max-width:64rem){
.chart .minor{display:none}
.place,.place>*{display:block}
}
@media screen and (max-width:44rem){
nav{gap:.75rem;font-size:.8125rem}
.chart .axis,.chart summary{grid-template-columns:minmax(0,1fr) auto;row-gap:.4rem}
.chart .axis svg{grid-column:1/-1}
.chart summary svg{grid-column:1/-1;grid-row:2}
.cue{display:inline}
.cards :is(table,tbody,tr,th,td){display:block}
.cards thead{display:none}
.cards tbody tr{padding:.8rem 1rem;border-bottom:1px solid var(--line)}
.cards tbody tr:last-child{border:0}
.cards tbody tr>*{position:static!important;padding:.1rem 0!important;border:0;text-align:left!important;min-width:0;width:auto!important;max-width:none!important}
.cards td:empty{display:none}
.cards td[data-head]{display:inline-block;margin-right:1rem}
.cards td[data-head]:has(.none){display:none}
.cards td[data-head]::before{content:attr(data-head) " "}
.cards td[data-head]::after{content:" min"}
.cards td[data-head]::before,.cards td[data-head]::after{color:var(--quiet)}
.tall.cards tr{position:relative}
.tall.cards td.number:not([data-head]){position:absolute!important;top:.8rem;right:1rem}
#search{grid-template-columns:minmax(0,2fr) minmax(0,3fr);column-gap:.6rem}
#search label:nth-of-type(3n+1){grid-column:1/-1}
.chart{padding-left:1rem;padding-right:1rem}
.state{--side:1rem}
.state ul,.state li{display:block}
.state li+li{margin-top:.7rem}
.state li .quiet{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.states th:first-child{padding-left:1rem;min-width:8.75rem;max-width:9rem}
.events summary,.body{padding-left:1rem;padding-right:1rem}
}
`

const paper = `
@media print{
@page{margin:14mm}
:root{font-size:10pt;color-scheme:light}
body{background:#fff;print-color-adjust:exact}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
.scroll{overflow:visible;max-height:none}
.states{table-layout:fixed;font-size:.6rem}
.states th,.states td,.states svg,.states .quiet,.states .pill,.states tbody th{font-size:inherit;white-space:normal;min-width:0!important;overflow-wrap:anywhere}
.states tr>*{padding:.3rem .2rem!important;position:static!important}
:is(.events>details,.chart details):not([open]),.state,.states tr{break-inside:avoid}
h2,section>.quiet,.legend,.axis,.group>summary{break-after:avoid}
nav,#search,#live{display:none}
.group::details-content{content-visibility:visible;block-size:auto}
.name::before,.events summary::after{display:none!important}
}
`

export const sheet: string = [colors, base, top, chart, state, list, narrow, paper]
  .map((part) => part.trim())
  .join("\n")

/** The SHA-256 of the style sheet, in Base64. A test prints the new value after a change. */
export const hash = "HRpP5GIY7cx7HNmROQmSqOee/mb1+G7yvJZFMWfb3XA="
