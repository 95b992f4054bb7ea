"use strict";(self.rspackChunkcourse_home=self.rspackChunkcourse_home||[]).push([[0],{18(e,r,o){var t=o(19),s=o.n(t),a=o(20),n=(o.n(a))()(s());n.push([e.id,`/* JupyterLab itself: colours with enough contrast, and tabs wide enough for the longest name.
   Some colours of its themes are too faint to read: those of parts of code, and nearly all on the
   red ground of an error. There only the name of the error keeps a colour of its own. */

@media (min-width: 900px) {
  body {
    --jp-sidebar-min-width: 290px;
  }
}

body .lm-DockPanel-tabBar .lm-TabBar-tab {
  flex-basis: 270px;
}

body[data-jp-theme-light='true'] {
  --jp-mirror-editor-comment-color: #2c6e6e;
  --jp-mirror-editor-bracket-color: #666644;
  --jp-mirror-editor-number-color: #006e00;
  --jp-mirror-editor-meta-color: #9900ee;
  --course-error-name: #a31515;
}

body[data-jp-theme-light='false'] {
  --jp-mirror-editor-comment-color: #56acac;
  --jp-mirror-editor-def-color: #42a5f5;
  --jp-mirror-editor-meta-color: #c77dff;
  --course-error-name: #ffb3ad;
}

.jp-RenderedText[data-mime-type$='stderr'] pre span:not([class*='-bg']) {
  color: inherit !important;
}

.jp-RenderedText[data-mime-type$='stderr'] pre .ansi-red-fg {
  color: var(--course-error-name) !important;
}

.jp-RenderedMarkdown details {
  margin-bottom: 1em;
}

.jp-Cell-outputWrapper {
  scroll-margin-bottom: 4rem; /* of what a cell has shown, the end is not the last line in sight */
}
`,""]),o.d(r,{},{A:n})},22(e,r,o){var t=o(19),s=o.n(t),a=o(20),n=(o.n(a))()(s());n.push([e.id,`/* The field below a cell that waits for a guess. It stands where the cell's text begins. */

.course-guess {
  margin: 6px 0 2px calc(var(--jp-cell-prompt-width) + var(--jp-cell-collapser-width));
  padding: 0.5rem 0.9rem;
  border: 1px solid var(--course-line);
  border-left: 4px solid var(--course-fill);
  border-radius: 3px 10px 10px 3px;
  background: var(--course-ground);
  color: var(--course-ink);
  font-family: var(--jp-content-font-family);
  font-size: var(--jp-content-font-size1);
  line-height: 1.5;
}

.course-guess p {
  margin: 0.3rem 0 0;
  color: var(--course-soft);
  font-size: 0.9em;
}

.course-guess:not(:focus-within) .course-guess-help {
  position: absolute; /* read out, and seen by who types */
  clip-path: inset(50%);
}

.course-guess label > span {
  color: var(--course-soft);
}

.course-guess code {
  padding: 0;
  background: none;
  color: inherit;
}

.course-guess > div {
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem;
  margin-top: 0.3rem;
}

.course-guess :is(input, button) {
  padding: 0.3rem 0.8rem;
  border: 1px solid var(--course-soft);
  border-radius: 7px;
  background: var(--course-card);
  color: inherit;
  font: inherit;
}

.course-guess input {
  flex: 1 1 9rem;
  min-width: 0;
  max-width: 26rem;
  font-family: var(--jp-code-font-family);
}

.course-guess button {
  cursor: pointer;
}

.course-guess button:hover {
  border-color: var(--course-accent);
  color: var(--course-accent);
}

.course-guess:focus-within .course-guess-keep {
  border-color: #a93a12;
  background: #a93a12; /* white on it: 6.4 to 1 */
  color: #fff;
  font-weight: 600;
}

.course-guess :focus-visible {
  outline: 2px solid var(--course-accent);
  outline-offset: 1px;
}

.course-guess > button {
  margin-left: 0.4rem;
  padding: 0 0.3rem;
  border: 0;
  background: none;
  color: var(--course-accent);
  text-decoration: underline;
}

/* A long guess leaves the question behind it in sight. */
.jp-Cell:has(> .course-guess) .cm-content {
  flex-shrink: 1;
  overflow-wrap: anywhere;
  white-space: break-spaces;
}

@media (max-width: 760px) {
  .course-guess {
    margin-left: calc(var(--jp-cell-collapser-width) + 4px);
  }
}
`,""]),o.d(r,{},{A:n})},21(e,r,o){var t=o(19),s=o.n(t),a=o(20),n=(o.n(a))()(s());n.push([e.id,`/* The home page and the small map. Filled means done, in shape and not in colour alone. */

body[data-jp-theme-light='true'] {
  --course-ground: #fbf8f3;
  --course-card: #fff;
  --course-line: #e4dccf;
  --course-ink: #2a2521;
  --course-soft: #655b50;
  --course-accent: #a93a12;
  --course-fill: #cc6f3c;
  --course-done: #2b6b4a;
  --course-tint: #f3e9dc;
}

body[data-jp-theme-light='false'] {
  --course-ground: #1c1a19;
  --course-card: #272422;
  --course-line: #443d37;
  --course-ink: #f1ebe3;
  --course-soft: #b9aea2;
  --course-accent: #ffa374;
  --course-fill: #c06a3c;
  --course-done: #7fcba2;
  --course-tint: #332c26;
}

.course-Home,
#jp-left-stack > #course-list {
  overflow: auto;
  background: var(--course-ground);
  color: var(--course-ink);
  font-family: var(--jp-content-font-family);
  line-height: 1.5;
}

.course-Home {
  font-size: 15px;
}

.course-page {
  max-width: 62rem;
  margin: 0 auto;
  padding: 2.4rem 2rem 4rem;
}

.course-Home :is(h1, h2, p, ol, ul, dl, dd) {
  margin: 0;
  padding: 0;
}

.course-Home :is(ol, ul),
.course-List ol {
  list-style: none;
}

.course-Home button,
.course-List button {
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  text-align: left;
  cursor: pointer;
}

.course-Home :focus-visible,
.course-List :focus-visible {
  outline: 2px solid var(--course-accent);
  outline-offset: 2px;
}

.course-Home code,
.course-List code {
  padding: 0;
  background: none;
  color: inherit;
  font-size: 0.95em;
}

.course-said {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}

/* ---- where to go on ---- */

.course-over {
  color: var(--course-soft);
  font-size: 0.87rem;
  letter-spacing: 0.04em;
}

.course-Home h1 {
  font-family: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif;
  font-size: 2.3rem;
  font-weight: 500;
  line-height: 1.25;
}

.course-lately {
  max-width: 40rem;
  color: var(--course-soft);
}

.course-Home .course-go {
  display: flex;
  align-items: center;
  justify-content: space-between;
  box-sizing: border-box;
  width: 100%;
  margin: 1.3rem 0 1.6rem;
  padding: 1.1rem 1.6rem;
  border-radius: 14px;
  background: linear-gradient(120deg, #8d2d0c, #b5421a); /* white on it: 5.5 to 1 and more */
  color: #fff;
  box-shadow: 0 6px 22px rgb(120 45 10 / 22%);
  transition: transform 0.15s, box-shadow 0.15s;
}

.course-Home .course-go:hover {
  transform: translateY(-2px);
  box-shadow: 0 10px 28px rgb(120 45 10 / 32%);
}

.course-go > span:first-child {
  display: grid;
  gap: 0.1rem;
}

.course-go strong {
  font-size: 0.95rem;
  font-weight: 600;
  letter-spacing: 0.03em;
}

.course-go-title {
  font-size: 1.45rem;
  line-height: 1.3;
}

.course-go-about {
  font-size: 0.95rem;
}

.course-go-arrow {
  margin-left: 1rem;
  font-size: 2rem;
  transition: transform 0.15s;
}

.course-go:hover .course-go-arrow {
  transform: translateX(5px);
}

.course-strip {
  display: flex;
  gap: 3px;
  padding-bottom: 13px;
}

.course-strip > span {
  position: relative;
  flex: 1;
  height: 26px;
  border: 1px solid var(--course-fill);
  border-radius: 3px;
  background: linear-gradient(
    to top,
    var(--course-fill) var(--share),
    var(--course-card) var(--share)
  );
}

.course-strip > .course-first {
  margin-left: 9px;
}

.course-strip > .course-here::after {
  position: absolute;
  top: calc(100% + 4px);
  left: calc(50% - 6px);
  border: 6px solid transparent;
  border-top: 0;
  border-bottom: 8px solid var(--course-accent);
  content: '';
}

.course-figures {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 2.6rem;
  margin-top: 0.5rem !important;
}

.course-figures > div {
  display: flex;
  flex-direction: column-reverse;
}

.course-figures dt {
  color: var(--course-soft);
  font-size: 0.87rem;
}

.course-figures dd {
  font-size: 1.15rem;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
}

/* ---- search and look up ---- */

.course-search {
  display: block;
  margin-top: 2rem;
}

.course-search label {
  font-weight: 600;
}

.course-search input {
  box-sizing: border-box;
  width: 100%;
  margin-top: 0.3rem;
  padding: 0.7rem 1rem;
  border: 1px solid var(--course-soft);
  border-radius: 10px;
  background: var(--course-card);
  color: inherit;
  font: inherit;
}

.course-search input::placeholder {
  color: var(--course-soft);
  opacity: 1;
}

.course-count {
  color: var(--course-soft);
  font-size: 0.87rem;
}

.course-found button {
  display: block;
  width: 100%;
  padding: 0.45rem 1rem !important;
  border-radius: 8px;
}

.course-found button:is(:hover, :focus) {
  background: var(--course-tint);
}

.course-found button > span:first-child {
  color: var(--course-accent);
  font-weight: 600;
}

.course-excerpt {
  display: block;
  font-size: 0.92rem;
}

.course-look ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-top: 0.8rem;
}

.course-look button {
  padding: 0.25rem 0.9rem !important;
  border: 1px solid var(--course-line) !important;
  border-radius: 1rem;
  background: var(--course-card) !important;
  font-size: 0.92rem !important;
}

.course-look button:hover {
  border-color: var(--course-accent) !important;
  color: var(--course-accent);
}

/* ---- the map ---- */

.course-stage {
  margin-top: 2.4rem;
}

.course-Home h2 {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 0 1rem;
  font-family: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif;
  font-size: 1.3rem;
  font-weight: 500;
}

.course-Home h2 > span {
  color: var(--course-soft);
  font-family: var(--jp-content-font-family);
  font-size: 0.87rem;
}

.course-Home .course-can {
  margin: 0.3rem 0;
  color: var(--course-done);
}

.course-stage ol {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
  gap: 0.7rem;
  margin-top: 0.7rem;
}

.course-tile {
  display: flex;
  flex-direction: column;
  justify-content: space-between;
  padding: 0.7rem 0.9rem;
  border: 1px solid var(--course-line);
  border-radius: 10px;
  background: var(--course-card);
}

.course-tile:hover {
  border-color: var(--course-fill);
}

.course-tile.course-here {
  border-color: var(--course-accent);
  box-shadow: inset 0 0 0 1px var(--course-accent);
}

.course-name {
  display: flex;
  align-items: center;
  gap: 0.7rem;
  width: 100%;
  font-weight: 600 !important;
  line-height: 1.3 !important;
}

.course-number {
  color: var(--course-soft);
  font-weight: 400;
}

.course-name:hover {
  color: var(--course-accent);
}

.course-ring {
  position: relative;
  display: grid;
  flex: none;
  place-items: center;
  width: 2.1rem;
  height: 2.1rem;
  border-radius: 50%;
  background: conic-gradient(var(--course-fill) var(--share), var(--course-line) 0);
  color: var(--course-ink);
  font-size: 0.8rem;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
}

.course-ring > span:first-child {
  display: grid;
  place-items: center;
  width: calc(100% - 6px);
  height: calc(100% - 6px);
  border-radius: 50%;
  background: var(--course-card);
}

.course-ring.course-done {
  background: var(--course-done);
}

.course-ring.course-done > span:first-child {
  background: none;
  color: var(--course-card);
}

.course-foot {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.2rem 1rem;
  margin-top: 0.6rem;
  color: var(--course-soft);
  font-size: 0.84rem;
}

.course-foot .course-sheet {
  display: flex;
  align-items: center;
  gap: 0.4rem;
  padding: 0.15rem 0;
  text-decoration: underline;
  text-decoration-color: var(--course-line);
  text-underline-offset: 3px;
}

.course-foot .course-sheet:hover {
  color: var(--course-accent);
  text-decoration-color: currentcolor;
}

.course-minutes {
  margin-left: auto;
}

.course-foot > .course-dots {
  flex-basis: 100%;
}

.course-dots {
  display: inline-flex;
  flex-wrap: wrap;
  gap: 3px;
}

.course-dots i {
  box-sizing: border-box;
  width: 9px;
  height: 9px;
  border: 1.5px solid var(--course-fill);
  border-radius: 50%;
}

.course-squares i {
  border-color: var(--course-done);
  border-radius: 2px;
}

.course-dots .course-on {
  background: var(--course-fill);
}

.course-squares .course-on {
  background: var(--course-done);
}

.course-Home .course-key,
.course-Home .course-kept {
  margin-top: 1.6rem;
  color: var(--course-soft);
  font-size: 0.87rem;
}

.course-kept button {
  color: var(--course-accent);
  text-decoration: underline;
}

/* ---- the small map at the left ---- */

.course-List {
  font-size: 13px;
}

.course-panel {
  padding: 0.8rem 0.7rem 2rem;
}

.course-panel h2 {
  margin: 1.1rem 0.4rem 0.3rem;
  color: var(--course-soft);
  font-size: 0.92em;
  font-weight: 600;
}

.course-panel ol {
  margin: 0;
  padding: 0;
}

.course-List .course-panel button {
  display: flex;
  align-items: center;
  gap: 0.6rem;
  box-sizing: border-box;
  width: 100%;
  padding: 0.22rem 0.4rem;
  border-radius: 6px;
  line-height: 1.3;
}

.course-List .course-panel button:hover {
  background: var(--course-tint);
}

.course-panel .course-ring {
  width: 1.6rem;
  height: 1.6rem;
  font-size: 0.72rem;
}

.course-panel .course-ring > span:first-child {
  width: calc(100% - 4px);
  height: calc(100% - 4px);
}

.course-List .course-panel .course-to-home {
  padding: 0.45rem 0.8rem;
  border: 1px solid var(--course-line);
  background: var(--course-card);
  font-weight: 600;
}

.course-panel li .course-sheet {
  display: none !important;
}

.course-panel .course-here {
  border-radius: 8px;
  background: var(--course-tint);
  box-shadow: inset 3px 0 0 var(--course-accent);
}

.course-panel .course-here .course-sheet {
  display: block !important;
  padding-left: 2.9rem;
  color: var(--course-soft);
}

.course-panel [aria-current='page'] {
  color: var(--course-ink) !important;
  font-weight: 600;
}

@media (max-width: 760px) {
  .course-page {
    padding: 1.2rem 1rem 3rem;
  }

  .course-Home h1 {
    font-size: 1.8rem;
  }

  .course-Home .course-go {
    padding: 0.9rem 1.1rem;
  }

  .course-go-title {
    font-size: 1.2rem;
  }

  .course-figures {
    gap: 0.3rem 1.3rem;
  }

  .course-strip {
    gap: 1px;
  }

  .course-strip > span {
    height: 18px;
    border-radius: 2px;
  }

  .course-strip > .course-first {
    margin-left: 4px;
  }
}

@media (prefers-reduced-motion: reduce) {
  .course-go,
  .course-go-arrow {
    transition: none !important;
  }
}
`,""]),o.d(r,{},{A:n})},20(e){e.exports=function(e){var r=[];return r.toString=function(){return this.map(function(r){var o="",t=void 0!==r[5];return r[4]&&(o+="@supports (".concat(r[4],") {")),r[2]&&(o+="@media ".concat(r[2]," {")),t&&(o+="@layer".concat(r[5].length>0?" ".concat(r[5]):""," {")),o+=e(r),t&&(o+="}"),r[2]&&(o+="}"),r[4]&&(o+="}"),o}).join("")},r.i=function(e,o,t,s,a){"string"==typeof e&&(e=[[null,e,void 0]]);var n={};if(t)for(var i=0;i<this.length;i++){var c=this[i][0];null!=c&&(n[c]=!0)}for(var u=0;u<e.length;u++){var l=[].concat(e[u]);t&&n[l[0]]||(void 0!==a&&(void 0===l[5]||(l[1]="@layer".concat(l[5].length>0?" ".concat(l[5]):""," {").concat(l[1],"}")),l[5]=a),o&&(l[2]&&(l[1]="@media ".concat(l[2]," {").concat(l[1],"}")),l[2]=o),s&&(l[4]?(l[1]="@supports (".concat(l[4],") {").concat(l[1],"}"),l[4]=s):l[4]="".concat(s)),r.push(l))}},r}},19(e){e.exports=function(e){return e[1]}},12(e){var r=[];function o(e){for(var o=-1,t=0;t<r.length;t++)if(r[t].identifier===e){o=t;break}return o}function t(e,t){for(var s={},a=[],n=0;n<e.length;n++){var i=e[n],c=t.base?i[0]+t.base:i[0],u=s[c]||0,l="".concat(c," ").concat(u);s[c]=u+1;var d=o(l),p={css:i[1],media:i[2],sourceMap:i[3],supports:i[4],layer:i[5]};if(-1!==d)r[d].references++,r[d].updater(p);else{var m=function(e,r){var o=r.domAPI(r);return o.update(e),function(r){r?(r.css!==e.css||r.media!==e.media||r.sourceMap!==e.sourceMap||r.supports!==e.supports||r.layer!==e.layer)&&o.update(e=r):o.remove()}}(p,t);t.byIndex=n,r.splice(n,0,{identifier:l,updater:m,references:1})}a.push(l)}return a}e.exports=function(e,s){var a=t(e=e||[],s=s||{});return function(e){e=e||[];for(var n=0;n<a.length;n++){var i=o(a[n]);r[i].references--}for(var c=t(e,s),u=0;u<a.length;u++){var l=o(a[u]);0===r[l].references&&(r[l].updater(),r.splice(l,1))}a=c}}},14(e){var r={};e.exports=function(e,o){var t=function(e){if(void 0===r[e]){var o=document.querySelector(e);if(window.HTMLIFrameElement&&o instanceof window.HTMLIFrameElement)try{o=o.contentDocument.head}catch(e){o=null}r[e]=o}return r[e]}(e);if(!t)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");t.appendChild(o)}},16(e){e.exports=function(e){var r=document.createElement("style");return e.setAttributes(r,e.attributes),e.insert(r,e.options),r}},15(e,r,o){e.exports=function(e){var r=o.nc;r&&e.setAttribute("nonce",r)}},13(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var r=e.insertStyleElement(e);return{update:function(o){var t,s,a;t="",o.supports&&(t+="@supports (".concat(o.supports,") {")),o.media&&(t+="@media ".concat(o.media," {")),(s=void 0!==o.layer)&&(t+="@layer".concat(o.layer.length>0?" ".concat(o.layer):""," {")),t+=o.css,s&&(t+="}"),o.media&&(t+="}"),o.supports&&(t+="}"),(a=o.sourceMap)&&"u">typeof btoa&&(t+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(a))))," */")),e.styleTagTransform(t,r,e.options)},remove:function(){var e;null===(e=r).parentNode||e.parentNode.removeChild(e)}}}},17(e){e.exports=function(e,r){if(r.styleSheet)r.styleSheet.cssText=e;else{for(;r.firstChild;)r.removeChild(r.firstChild);r.appendChild(document.createTextNode(e))}}},11(e,r,o){var t=o(12),s=o.n(t),a=o(13),n=o.n(a),i=o(14),c=o.n(i),u=o(15),l=o.n(u),d=o(16),p=o.n(d),m=o(17),f=o.n(m),g=o(18),h={};h.styleTagTransform=f(),h.setAttributes=l(),h.insert=c().bind(null,"head"),h.domAPI=n(),h.insertStyleElement=p(),s()(g.A,h),g.A&&g.A.locals&&g.A.locals;var b=o(21),v={};v.styleTagTransform=f(),v.setAttributes=l(),v.insert=c().bind(null,"head"),v.domAPI=n(),v.insertStyleElement=p(),s()(b.A,v),b.A&&b.A.locals&&b.A.locals;var x=o(22),w={};w.styleTagTransform=f(),w.setAttributes=l(),w.insert=c().bind(null,"head"),w.domAPI=n(),w.insertStyleElement=p(),s()(x.A,w),x.A&&x.A.locals&&x.A.locals}}]);