trainrig require
