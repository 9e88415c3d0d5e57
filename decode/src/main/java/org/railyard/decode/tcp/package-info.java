/**
 * Captured packets put together to TCP byte streams: link layers, IP, and reassembly per direction with bounded memory.
 * Knows nothing of LNet.
 */
@NullMarked
package org.railyard.decode.tcp;

import org.jspecify.annotations.NullMarked;
