/** Tests of the decoder: capture files, whole and damaged. */
@NullMarked
package org.railyard.decode.capture;

import org.jspecify.annotations.NullMarked;
