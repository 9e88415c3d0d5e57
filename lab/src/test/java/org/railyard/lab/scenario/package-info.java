/** Tests of the package of the same name. */
@NullMarked
package org.railyard.lab.scenario;

import org.jspecify.annotations.NullMarked;
