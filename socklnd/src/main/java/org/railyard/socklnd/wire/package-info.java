/**
 * Bytes of socklnd: connection requests, hellos, frame headers, checksums, zero-copy acks. Pure; shared by the
 * transport and the capture decoder.
 */
@NullMarked
package org.railyard.socklnd.wire;

import org.jspecify.annotations.NullMarked;
