/** Fabrics that OpenSM routed on the ibsim simulator, as tests see them. */
@NullMarked
package org.railyard.fabric.golden;

import org.jspecify.annotations.NullMarked;
