/** Tests of the commands of campaigns. */
@NullMarked
package org.railyard.cli.campaign;

import org.jspecify.annotations.NullMarked;
