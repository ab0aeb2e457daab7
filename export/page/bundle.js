"use strict";

// Everything works without this: what it adds is copying, and captions where no site serves them.
const said = document.getElementById("said");

async function copied(text, source) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that was opened from a disk may have no clipboard, but a selection.
    const details = source.closest("details");
    if (details) details.open = true;
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("button[data-copies]")) {
  button.hidden = false;
  const name = button.textContent;
  button.onclick = async () => {
    const source = document.getElementById(button.dataset.copies);
    const done = await copied(source.textContent, source);
    button.textContent = done ? "Copied" : "Selected: press Ctrl+C";
    said.textContent = `${button.getAttribute("aria-label")}: ${done ? "copied" : "selected"}`;
    setTimeout(() => { button.textContent = name; }, 2000);
  };
}

// Browsers read no captions from a disk.
if (location.protocol === "file:") {
  for (const text of document.querySelectorAll("script.captions")) {
    const track = document.querySelector(`track[src="${text.dataset.of}"]`);
    track.src = `data:text/vtt;charset=utf-8,${encodeURIComponent(text.textContent)}`;
  }
}
