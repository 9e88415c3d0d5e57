/** Tests of the decoder: packets and byte streams. */
@NullMarked
package org.railyard.decode.tcp;

import org.jspecify.annotations.NullMarked;
