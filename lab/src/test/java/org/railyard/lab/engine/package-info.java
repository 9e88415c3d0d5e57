/** Tests of the package of the same name. */
@NullMarked
package org.railyard.lab.engine;

import org.jspecify.annotations.NullMarked;
