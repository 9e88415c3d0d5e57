/** Tests of the pattern and its references. */
@NullMarked
package org.railyard.lab.payload;

import org.jspecify.annotations.NullMarked;
