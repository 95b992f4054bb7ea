// Graphviz's WebAssembly module, run by the browser itself: bytes of the module → (dot) => svg.
//
// The module asks a system for files, a clock and an environment, by the rules of WASI preview 1.
// Here it finds none of these: it draws from the text it is given, and what it complains about is
// kept for the message. Numbers that are returned are WASI's error numbers, 0 for success.
(bytes) => {
  const SUCCESS = 0, BAD_DESCRIPTOR = 8, NO_ENTRY = 44, NO_SEEK = 70;
  const CHARACTER_DEVICE = 2;
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  let complaints = "";
  let memory; // its buffer is another one after each growth: never keep a view
  const view = () => new DataView(memory.buffer);
  const setNumbers = (...pairs) => {
    for (const [address, number] of pairs) view().setUint32(address, number, true);
    return SUCCESS;
  };

  const system = {
    environ_sizes_get: (count, size) => setNumbers([count, 0], [size, 0]),
    environ_get: () => SUCCESS,
    clock_time_get: (clock, precision, address) => {
      view().setBigUint64(address, BigInt(Date.now()) * 1_000_000n, true);
      return SUCCESS;
    },
    random_get: (address, length) => {
      crypto.getRandomValues(new Uint8Array(memory.buffer, address, length));
      return SUCCESS;
    },
    fd_fdstat_get: (file, address) => {
      new Uint8Array(memory.buffer, address, 24).fill(0);
      view().setUint8(address, CHARACTER_DEVICE);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_close: () => SUCCESS,
    fd_filestat_get: () => BAD_DESCRIPTOR,
    fd_prestat_get: () => BAD_DESCRIPTOR, // no folder is open
    fd_prestat_dir_name: () => BAD_DESCRIPTOR,
    fd_read: (file, pieces, count, read) => setNumbers([read, 0]), // the end of the file
    fd_seek: () => NO_SEEK,
    fd_write: (file, pieces, count, written) => {
      let length = 0;
      for (let piece = pieces; piece < pieces + 8 * count; piece += 8) {
        const [start, size] = [view().getUint32(piece, true), view().getUint32(piece + 4, true)];
        complaints += decoder.decode(new Uint8Array(memory.buffer, start, size));
        length += size;
      }
      return setNumbers([written, length]);
    },
    path_filestat_get: () => NO_ENTRY,
    path_open: () => NO_ENTRY,
    proc_exit: (status) => {
      throw new Error(`Graphviz ended with status ${status}: ${complaints}`);
    },
  };

  const module = new WebAssembly.Module(bytes);
  const graphviz = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system }).exports;
  memory = graphviz.memory;

  const put = (text) => {
    const letters = encoder.encode(text + "\0");
    const address = graphviz.malloc(letters.length);
    new Uint8Array(memory.buffer).set(letters, address);
    return address;
  };
  const get = (address, length) => decoder.decode(new Uint8Array(memory.buffer, address, length));
  const getUntilZero = (address) =>
    get(address, new Uint8Array(memory.buffer).indexOf(0, address) - address);

  return (dot) => {
    complaints = "";
    const given = [put(dot), put("svg"), put("dot"), graphviz.malloc(4)];
    try {
      const found = graphviz.graphviz_render(...given);
      if (!found) throw new Error(getUntilZero(graphviz.graphviz_last_error()) || complaints);
      const svg = get(found, view().getUint32(given[3], true));
      graphviz.graphviz_free(found);
      return svg;
    } finally {
      given.forEach((address) => graphviz.free(address));
    }
  };
};
