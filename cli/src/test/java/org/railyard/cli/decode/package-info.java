/** Tests of the decoder. */
@NullMarked
package org.railyard.cli.decode;

import org.jspecify.annotations.NullMarked;
