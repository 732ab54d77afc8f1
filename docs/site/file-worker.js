// Browsers start no worker for a page that was opened from a folder (file://), and the search runs in one. There, a frame
// does a worker's work: the same script, with its messages handed over.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const frame = this.frame.contentWindow;
      frame.importScripts = (...urls) => Promise.all(urls.map((each) => this.load(each)));
      frame.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
      this.load(url).then(() => this.deliver());
    }
    load(url) {
      const script = this.frame.contentDocument.createElement("script");
      script.src = url;
      return new Promise((loaded) => {
        script.onload = loaded;
        this.frame.contentDocument.documentElement.append(script);
      });
    }
    postMessage(data) {
      this.waiting.push(data);
      if (this.ready) this.deliver();
    }
    deliver() {
      this.ready = true;
      for (const data of this.waiting.splice(0))
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data}));
    }
  };
