/** Tests of the decoder. */
@NullMarked
package org.railyard.decode;

import org.jspecify.annotations.NullMarked;
