/**
 * Captured packets put together to TCP byte streams: link layers, IP, and reassembly per direction with bounded memory. Knows nothing of LNet.
 * Next rooms: {@code org.railyard.cli.decode.capture}, where packets come from, and {@code org.railyard.cli.decode}, where streams go.
 */
@NullMarked
package org.railyard.cli.decode.tcp;

import org.jspecify.annotations.NullMarked;
