TRAINRIG_DATA=/nonexistent trainrig catalog check
