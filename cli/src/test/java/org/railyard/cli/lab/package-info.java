/** Tests of the package of the same name. */
@NullMarked
package org.railyard.cli.lab;

import org.jspecify.annotations.NullMarked;
