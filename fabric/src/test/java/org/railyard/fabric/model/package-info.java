/** Tests of this package. */
@NullMarked
package org.railyard.fabric.model;

import org.jspecify.annotations.NullMarked;
