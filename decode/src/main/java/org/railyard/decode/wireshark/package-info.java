/** A dissector for Wireshark, made of the layouts that this program reads and writes with. */
@NullMarked
package org.railyard.decode.wireshark;

import org.jspecify.annotations.NullMarked;
