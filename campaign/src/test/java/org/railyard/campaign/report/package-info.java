/** Tests of campaigns. */
@NullMarked
package org.railyard.campaign.report;

import org.jspecify.annotations.NullMarked;
