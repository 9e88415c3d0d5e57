/** Tests of the package of the same name. */
@NullMarked
package org.railyard.lab.net;

import org.jspecify.annotations.NullMarked;
