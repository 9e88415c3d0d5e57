/**
 * Bytes of LNet: message headers, handles, ping info. One class per structure, each with one declared layout. Uses
 * {@code nid}; knows no transport.
 */
@NullMarked
package org.railyard.lnet.wire;

import org.jspecify.annotations.NullMarked;
