/** Tests of the package of the same name. */
@NullMarked
package org.railyard.lab.run;

import org.jspecify.annotations.NullMarked;
