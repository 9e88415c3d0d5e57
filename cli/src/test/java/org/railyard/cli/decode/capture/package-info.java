/** Tests of the decoder: capture files, whole and damaged. */
@NullMarked
package org.railyard.cli.decode.capture;

import org.jspecify.annotations.NullMarked;
