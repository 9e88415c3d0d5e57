/** Bytes of socklnd: connection requests, hellos, frame headers, checksums. Pure; shared by the transport and the capture decoder. */
@NullMarked
package org.railyard.socklnd.wire;

import org.jspecify.annotations.NullMarked;
