/** Fabrics made up for trying out; needs the model only. */
@NullMarked
package org.railyard.fabric.sample;

import org.jspecify.annotations.NullMarked;
