/** Runs: a scenario with a seed becomes nodes, loads and faults in virtual time, and a result; many seeds become a campaign. The top room of the module. */
@NullMarked
package org.railyard.lab.run;

import org.jspecify.annotations.NullMarked;
