/** Tests of the package of the same name. */
@NullMarked
package org.railyard.lab.fabric;

import org.jspecify.annotations.NullMarked;
