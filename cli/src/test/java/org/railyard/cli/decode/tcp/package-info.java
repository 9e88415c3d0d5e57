/** Tests of the decoder: packets and byte streams. */
@NullMarked
package org.railyard.cli.decode.tcp;

import org.jspecify.annotations.NullMarked;
