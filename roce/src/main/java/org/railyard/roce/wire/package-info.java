/**
 * What the bytes of RoCEv2 datagrams mean (spec 23 §5.2, §5.3): transport headers, checksum, messages of the connection
 * manager. Does no I/O.
 */
@NullMarked
package org.railyard.roce.wire;

import org.jspecify.annotations.NullMarked;
